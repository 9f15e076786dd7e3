/// The jokes of the daemon, for a first start without a network. They were written for this project.
package enum StarterJokes {
    /// The source name of the starter jokes. No configured source may use it.
    package static let source = "starter"

    /// All starter jokes, in the order in which they are stored. The last one is listed first.
    package static let all: [FetchedJoke] = [
        jokes("programming", programming), jokes("linux", linux), jokes("science", science), jokes("office", office),
        jokes("food", food), jokes("animals", animals), jokes("pun", puns), jokes("everyday", everyday),
    ].flatMap { $0 }

    /// A setup, and the punchline of a joke with two parts.
    private typealias Lines = (setup: String, punchline: String?)

    private static func jokes(_ category: String, _ lines: [Lines]) -> [FetchedJoke] {
        lines.map {
            FetchedJoke(
                setup: $0.setup, punchline: $0.punchline, language: "en", categories: [category], safety: .safe)
        }
    }

    private static let programming: [Lines] = [
        ("Why did the recursive function go to therapy?", "To find out why the recursive function went to therapy."),
        ("What did the linked list say to the array?", "\"You know where everyone lives. I only know who's next.\""),
        ("How does our senior engineer sleep so well on Friday nights?", "She deploys on Tuesdays."),
        ("Why does the cache never apologize?", "As far as it knows, nothing has changed."),
        ("Because they give away the punchline.", "Why do race conditions make terrible comedians?"),
        ("What's a mutex's favorite party game?", "Musical chairs, with one chair."),
        ("Why did the Boolean break up with the optional?", "It was tired of hearing \"maybe.\""),
        ("How do you compliment a floating-point number?", "\"Close enough!\""),
        ("Our regular expression finally works.", "If only someone remembered what it's for."),
        ("Why did the pull request bring a sleeping bag?", "It knew it would be open all week."),
        ("My code doesn't have bugs. It has long-term residents.", nil),
        ("I wrote a program that predicts when my work will be done. It's running late.", nil),
        ("I was told this code was self-explanatory. It has declined to comment.", nil),
    ]

    private static let linux: [Lines] = [
        ("Why do zombie processes hang around?", "Their parents couldn't wait."),
        ("How does the kernel break up with a memory hog?", "\"I need some space.\""),
        ("Why did /dev/null get promoted?", "Nobody handles complaints faster."),
        ("Why don't cron jobs have any friends?", "They show up at 4 a.m. and then email you about it."),
        ("What did head say to the very long file?", "\"Let me stop you right there.\""),
        ("Why did the shell script get lost?", "There was a space in its path."),
        ("What do you call a desktop without a cursor?", "Pointless."),
        ("I finally got the printer working on Linux.", "I even have it in writing."),
        ("Why was the symlink heartbroken?", "Its target had moved on."),
        ("systemctl says my daemon is active and running. That makes one of us.", nil),
        ("My flight leaves on Friday, so I started quitting vim on Monday.", nil),
    ]

    private static let science: [Lines] = [
        ("Why did the two north poles stop being roommates?", "They found each other repulsive."),
        ("What did the glacier say when it was told to hurry?", "\"Chill. I'll be there in an epoch.\""),
        ("How was the control group's holiday party?", "Nothing happened. It was a complete success."),
        ("Why did the statistician wear one snow boot and one sandal?", "On average, she was dressed for the weather."),
        ("How does a mathematician climb a ladder?", "She tests the first rung, and the rest follow by induction."),
        ("What did the barometer say to the weather app?", "\"You try doing this under pressure.\""),
        ("Why did the electron skip its morning coffee?", "It was already excited."),
        ("I told a joke to someone near Alpha Centauri. I should hear a laugh in about nine years.", nil),
        ("The quantum cat door works. My cat is both in and out, and still wants to be on the other side.", nil),
        ("I have a theory about procrastination. I'll test it one of these days.", nil),
    ]

    private static let office: [Lines] = [
        ("Our office plant got promoted.", "It never misses a meeting, and it has really grown into the role."),
        ("I asked for a standing desk.", "They took my chair."),
        ("Why does the calendar wake up screaming?", "Recurring meetings."),
        ("What travels through an open-plan office faster than sound?", "Word of leftover cake."),
        ("Why did the projector stop working?", "Someone important walked in."),
        ("Why did the spreadsheet join a gym?", "To work on its =ABS()."),
        ("How do you spot the new hire?", "They read the whole email."),
        ("This meeting could have been an email. The email could have been a nod.", nil),
        ("Nobody in my department has a better work-life balance than my out-of-office reply.", nil),
        ("We put a shredder under the suggestion box. Now every suggestion is processed immediately.", nil),
    ]

    private static let food: [Lines] = [
        ("Why can't you make plans with an avocado?", "It's only ready for ten minutes, and you never know which ten."),
        ("The recipe said it would take thirty minutes.", "It didn't say whose."),
        ("Why is the refrigerator light such a good friend?", "It's always there when you open up."),
        ("Why did the onion get the lead in the school play?", "There wasn't a dry eye in the kitchen."),
        ("How does popcorn handle stress?", "It's fine, it's fine, it's fine, and then it isn't."),
        ("What do lemons make when life gives them people?", "Sour faces."),
        ("Why do kettles never burn out?", "They know when to let off steam."),
        ("My sourdough starter has a name, a schedule, and a better social life than I do.", nil),
        ("My coffee and I have an understanding: it doesn't talk to me until I've had it.", nil),
        ("I'm on a strict diet. Whatever is on my plate is strictly mine.", nil),
    ]

    private static let animals: [Lines] = [
        ("What do you call a snail with my package on its back?", "Out for delivery."),
        ("Why are penguins always on time for weddings?", "They're already dressed."),
        ("What did the sheepdog say to the project manager?", "\"Wait, you need meetings for that?\""),
        ("What does a hedgehog say after a hug?", "\"Sorry. And sorry. And sorry.\""),
        ("Why do owls make terrible detectives?", "They only ever ask one question."),
        ("Why did the woodpecker get fired?", "It kept knocking off early."),
        ("How did the chameleon's audition go?", "Nobody saw it."),
        ("Why did the sloth miss the race?", "It's still reading the invitation."),
        ("My cat read the house rules and left her comments on the couch.", nil),
        ("My dog thinks I'm a great hunter. I leave with empty bags and come back with chicken.", nil),
    ]

    private static let puns: [Lines] = [
        ("What do you call a fence that tells jokes?", "Borderline funny."),
        ("Why do lighthouses give such good speeches?", "They keep it light and repeat the main point."),
        ("Why did the map refuse to argue?", "It could see where this was going."),
        ("How did the mirror win the debate?", "It turned every argument around."),
        ("Why did the clockmaker get a raise?", "He put in the hours."),
        ("Why do blankets make great lawyers?", "They've got you covered."),
        ("Why did the violin turn down the loan?", "There were too many strings attached."),
        ("I collect anchors. It's a hard hobby to move on from.", nil),
        ("I used to repair umbrellas, but business dried up.", nil),
    ]

    private static let everyday: [Lines] = [
        ("Why do socks go into the dryer in pairs?", "So that one can cover while the other escapes."),
        ("How do you fold a fitted sheet?", "Roll it into a ball and shut the closet door fast."),
        ("I keep eleven keys in the junk drawer.", "What they open is in the other junk drawer."),
        ("I asked my phone how many hours a day I spend on it.", "It said we should talk about this in person."),
        ("What's the surest way to end a drought?", "Wash your car and leave the windows down."),
        ("What's the longest distance known to science?", "From the couch to the remote."),
        ("What's the difference between my dad and a GPS?", "Only the GPS admits that it's recalculating."),
        ("I set all my clocks five minutes fast. Now I'm late ahead of schedule.", nil),
        ("The self-checkout asked if I wished to continue. I've been thinking about it all week.", nil),
        ("My gym sent me a card for our anniversary. We've only met once.", nil),
        ("My smart home locked me out. It says I know what I did.", nil),
    ]
}
