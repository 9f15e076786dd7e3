/// The jokes that come with the program, so that a first start without a network has something to show.
///
/// They were written for it. They go through the normaliser like all others and carry the source `starter`.
package enum StarterJokes {
    /// The name of their source, which no configured one may have.
    package static let source = "starter"

    /// What makes them jokes of that source.
    package static let normalizer = Normalizer(source: source, language: "en", safety: .safe)

    /// All of them, in the order in which they are stored.
    package static let all: [FetchedJoke] = [
        jokes("programming", programming), jokes("linux", linux), jokes("science", science), jokes("office", office),
        jokes("food", food), jokes("animals", animals), jokes("pun", puns), jokes("everyday", everyday),
    ].flatMap { $0 }

    /// A setup, and the punchline where there is a pause before it.
    private typealias Lines = (setup: String, punchline: String?)

    private static func jokes(_ category: String, _ lines: [Lines]) -> [FetchedJoke] {
        lines.map { FetchedJoke(setup: $0.setup, punchline: $0.punchline, categories: [category]) }
    }

    private static let programming: [Lines] = [
        ("Why did the recursive function see a therapist?", "To find out why the recursive function saw a therapist."),
        ("What did the linked list say to the array?", "'You know where everybody is. I only know who is next.'"),
        ("I asked a senior engineer how she sleeps so well.", "She said: 'I deploy on Tuesdays.'"),
        ("Why does the cache never apologize?", "As far as it knows, nothing has changed."),
        ("They tell you the punchline first.", "Why do race conditions make poor comedians?"),
        ("What is a mutex's favorite party game?", "Musical chairs with one chair."),
        ("Why did the boolean leave the optional?", "It wanted a straight answer."),
        ("What is the nicest thing you can say to a floating-point number?", "'You are almost exactly right.'"),
        ("Our regular expression works perfectly.", "We are now looking for somebody who remembers what it matches."),
        ("Why did the pull request bring a sleeping bag?", "It heard that the review was next sprint."),
        ("My code has no bugs. It has a small community of long-term residents.", nil),
        ("I wrote a program that predicts when I will be done. It is running late.", nil),
        ("The manual calls this function self-explanatory. I asked it twice, and it has yet to say a word.", nil),
    ]

    private static let linux: [Lines] = [
        ("Why is the zombie process still on the list?", "Its parent never came to pick up the exit code."),
        ("How does the kernel break up with a greedy process?", "'Nothing personal. You had the highest score.'"),
        ("Why did /dev/null get promoted?", "Nobody ever complained less about what landed on its desk."),
        ("Why don't cron jobs have friends?", "They turn up at four in the morning and then send you mail about it."),
        ("What did head say to the pipe?", "'Ten lines are plenty. You may stop talking.'"),
        ("Why did the shell script get lost?", "Somebody left a space in the path."),
        ("What do you call a terminal without a cursor?", "Pointless."),
        ("I got the printer to work under Linux.", "Nobody believes me, and I cannot print the proof."),
        ("Why was the file so tired after it crossed the mount point?", "It was told to move and ended up copying."),
        ("My daemon says it is active and running. That makes one of us.", nil),
        ("I have an appointment on Friday, so on Monday I began to leave vim.", nil),
    ]

    private static let science: [Lines] = [
        ("Why do identical magnets never share a flat?", "Deep down they find each other repulsive."),
        ("What did the glacier say when it was told to hurry?", "'Give me an epoch.'"),
        ("Why did the control group throw a party?", "Nothing had happened to them, and it was significant."),
        ("Why does the statistician carry an umbrella and sunscreen?", "On average the weather is fine."),
        ("Why did the mathematician bring a ladder to the proof?", "It was by induction, one rung at a time."),
        (
            "What did the barometer say to the weather app?",
            "'I am the one under pressure, and you are the one who is wrong.'"
        ),
        ("Why did the electron skip its coffee?", "It was in an excited state already."),
        ("I told an astronomer a light-hearted joke. She said it would arrive in about four years.", nil),
        ("The quantum cat flap works: the cat is in, and out, and judges you from both sides.", nil),
        ("I have a theory about procrastination, and a lab that will test it one of these days.", nil),
    ]

    private static let office: [Lines] = [
        ("Our office plant was promoted.", "It has never missed a meeting, and it has visibly grown in the role."),
        ("I asked for a standing desk.", "They took my chair."),
        ("Why did the calendar see a doctor?", "It kept having recurring meetings."),
        ("What goes through an open-plan office faster than sound?", "The news of leftover cake."),
        ("Why did the projector refuse to work?", "There was an audience."),
        ("What does a spreadsheet train at the gym?", "=ABS(A1)"),
        ("How do you recognize a new colleague?", "They still read the whole email."),
        ("This meeting could have been an email. The email could have been a nod.", nil),
        ("Nobody in our department has a better work-life balance than my out-of-office reply.", nil),
        ("We put a shredder under the suggestion box. Suggestions are now dealt with at once.", nil),
    ]

    private static let food: [Lines] = [
        ("Why did the avocado miss its own party?", "It was ready on Tuesday between two and ten past."),
        ("The recipe said thirty minutes.", "It did not say whose."),
        ("Why is the light in the fridge such a good friend?", "It is there whenever you open up."),
        ("What did the bread say about the toaster?", "'I went in soft and came out a changed slice.'"),
        ("How does popcorn make up its mind?", "Under heat, and all at once."),
        ("What does a lemon do in a crisis?", "It keeps a straight face while all the others make one."),
        ("Why did the teapot get a bonus?", "It delivers under boiling conditions."),
        ("My sourdough has a name, a timetable and a better social life than I have.", nil),
        ("My coffee and I have an agreement: it does not talk to me before I have had it.", nil),
        ("I keep to a strict diet: what is on my plate is strictly mine.", nil),
    ]

    private static let animals: [Lines] = [
        ("What do you call a snail that works for a courier?", "The current location of your parcel."),
        ("Why do penguins never work from home?", "They are dressed already."),
        ("What did the sheepdog say to the project manager?", "'You have meetings for that?'"),
        ("What does a hedgehog say after a hug?", "'Sorry. And sorry. And sorry.'"),
        ("Why do owls make poor detectives?", "They have only the one question."),
        ("Why do ducks never ask for a discount?", "They are proud of a big bill."),
        ("How did the chameleon do at the audition?", "Brilliantly, but nobody saw it."),
        ("Why did the sloth not come to the race?", "It is still reading the invitation."),
        ("My cat has read the house rules and left a few corrections in the curtains.", nil),
        ("My dog thinks that I go out to hunt. I come home with groceries every time, so he respects me.", nil),
    ]

    private static let puns: [Lines] = [
        ("What do you call a fence that tells jokes?", "Borderline funny."),
        ("Why do lighthouses write so well?", "They are brief and brilliant and repeat the important part."),
        ("Why did the map refuse to argue?", "It could see where this was going."),
        ("How did the mirror win the debate?", "It threw every point right back."),
        ("Why did the clockmaker get a raise?", "He had put in the hours himself."),
        ("Why is a blanket the best lawyer?", "It has everything covered."),
        ("Why did the violin go to the bank?", "It was highly strung and short of notes."),
        ("I collect anchors. The hobby keeps me in one place.", nil),
        ("I used to repair umbrellas, but then business dried up.", nil),
    ]

    private static let everyday: [Lines] = [
        ("Why do socks go into the dryer in pairs?", "One of them has a plan."),
        ("I tried to fold a fitted sheet.", "It is now a ball with ambitions."),
        (
            "Why is the junk drawer the wisest place in the house?",
            "It has an answer to everything and the key to nothing."
        ),
        ("I set all my clocks five minutes fast.", "Now I am late with a head start."),
        ("I asked my phone how many hours a day I spend on it.", "It said this was nothing to discuss over a screen."),
        ("How do you make it rain?", "Wash the car and leave the umbrella at home."),
        ("What is the longest distance in the world?", "From this sofa to the remote on the other one."),
        ("What is the difference between my father and a map?", "The map admits it when you are lost."),
        ("My smart home has locked me out. It said that I would know why.", nil),
        ("The self-checkout asked whether I was sure. I went home and thought about my life.", nil),
        ("My gym card and I met once, in January. We both remember it fondly.", nil),
    ]
}
