import JokesCore
import JokesSources
import TestSupport
import Testing

/// Real services that sources of the type `json` read.
@Suite struct JSONServicesTests {
    private func jokes(_ text: String, _ mapping: JSONMapping) async throws -> [FetchedJoke] {
        try await outcome(of: .json(text), mapping).get().jokes
    }

    @Test("geek-jokes: an object with a joke, or only a string; random")
    func geekJokes() async throws {
        let object = mapping {
            $0.strategy = .random; $0.fields[.text] = ["/joke"]
        }
        let batches = try await outcome(of: .json(#"{"joke": "There is no place like \"::1\"."}"#), object).get()
        #expect(batches.jokes == [FetchedJoke(setup: #"There is no place like "::1"."#)])
        #expect(batches.map(\.progress) == [.random] && batches.map(\.beginsFullSync) == [false])
        let bare = mapping { $0.strategy = .random }
        #expect(try await jokes("\"A string walks in.\"\n", bare) == [FetchedJoke(setup: "A string walks in.")])
    }

    @Test("dadjokes.online: one joke in two parts, with names in capitals")
    func dadJokesOnline() async throws {
        let mapping = mapping {
            $0.strategy = .random
            $0.items = "/Joke"
            $0.fields[.setup] = ["/Opener"]
            $0.fields[.punchline] = ["/Punchline"]
        }
        let text = #"""
            {"Joke":{"Opener":"What is a duck\u2019s clock? ","Punchline":"A quack of dawn.","Processing Time":"0.004"},
            "DadJokesInfo":{"SourceCode":"https:\/\/example.org\/","Version":"20250316"}}
            """#
        #expect(
            try await jokes(text, mapping)
                == [FetchedJoke(setup: "What is a duck’s clock? ", punchline: "A quack of dawn.")])
    }

    @Test("dadjokes.io: a list, or one object by its id, and an error with status 200")
    func dadJokesIO() async throws {
        let mapping = mapping {
            $0.items = "/body"
            $0.fields[.id] = ["/_id"]
            $0.fields[.setup] = ["/setup"]
            $0.fields[.punchline] = ["/punchline"]
            $0.fields[.categories] = ["/type"]
            $0.error = [JSONCondition("/success", .differs(.bool(true)))]
        }
        let item = #"{"_id":"5f80aa","type":"general","setup":"Why two?","punchline":"For company."}"#
        let joke = FetchedJoke(
            upstreamID: "5f80aa", setup: "Why two?", punchline: "For company.", categories: ["general"])
        #expect(try await jokes(#"{"success":true,"body":[\#(item),\#(item)]}"#, mapping) == [joke, joke])
        #expect(try await jokes(#"{"success":true,"body":\#(item)}"#, mapping) == [joke])
        for text in [
            #"{"success":false,"body":[\#(item)]}"#, #"{"body":[\#(item)]}"#, #"{"success":"true","body":[]}"#,
        ] {
            let error = try await outcome(of: .json(text), mapping).failure
            #expect(error?.code == .upstreamError)
            #expect(error?.description.hasSuffix("/jokes returned an error (condition /success)") == true)
        }
    }

    @Test("API Ninjas: the key comes from a file and goes into a header")
    func ninjas() async throws {
        let folder = try TemporaryFolder()
        let key = try folder.write("n1nja\n", to: "key")
        let server = try LoopbackServer()
        server.route("/v1/jokes") { request in
            request.header("X-Api-Key") == "n1nja"
                ? .json(#"[{"joke": "A ninja enters. Nobody sees."}]"#)
                : .json(#"{"error": "Invalid API Key."}"#, status: 400)
        }
        let mapping = mapping {
            $0.strategy = .random
            $0.fields[.text] = ["/joke"]
        }
        let headers = [SentField("X-Api-Key", SentValue("", secret: .file(key)))]
        let batches = try await Stage().json(server.url + "/v1/jokes", headers: headers, mapping).sync()
        #expect(batches.jokes == [FetchedJoke(setup: "A ninja enters. Nobody sees.")])
        #expect(server.requests.last?.header("Accept") == "application/json")
        #expect(server.requests.last?.header("User-Agent") == "jokesd/test")
    }

    @Test("HumorAPI: the key comes from a file and goes into the query, escaped")
    func humorAPI() async throws {
        let folder = try TemporaryFolder()
        let key = try folder.write("a+b/c= &d", to: "key")
        let server = try LoopbackServer()
        server.route(
            "/jokes/search", .json(#"{"jokes":[{"id":17,"joke":"A joke on keys: they lock."}],"available":1}"#))
        let mapping = mapping {
            $0.items = "/jokes"
            $0.fields[.id] = ["/id"]
            $0.fields[.text] = ["/joke"]
            $0.query = [
                SentField("number", SentValue("{limit}")), SentField("api-key", SentValue("", secret: .file(key))),
            ]
            $0.size = 10
        }
        let batches = try await Stage().json(server.url + "/jokes/search?keywords=key", mapping).sync()
        #expect(batches.jokes == [FetchedJoke(upstreamID: "17", setup: "A joke on keys: they lock.")])
        #expect(
            server.requests.map(\.target)
                == ["/jokes/search?keywords=key&number=10&api-key=a%2Bb%2Fc%3D%20%26d"])
    }

    @Test("witzapi.de: a list with one text, in the source's language")
    func witzAPI() async throws {
        let mapping = mapping {
            $0.strategy = .random; $0.fields[.text] = ["/text"]; $0.split = .question
        }
        #expect(
            try await jokes(#"[{"text":"Was ist gelb? Nicht die Ente. Oder? Doch."}]"#, mapping)
                == [FetchedJoke(setup: "Was ist gelb? Nicht die Ente. Oder?", punchline: " Doch.")])
    }

    @Test("blague.xyz: one joke with question and answer, and a status in the body")
    func blagueXYZ() async throws {
        let mapping = mapping {
            $0.strategy = .random
            $0.items = "/joke"
            $0.fields[.setup] = ["/question"]
            $0.fields[.punchline] = ["/answer"]
            $0.error = [JSONCondition("/status", .differs(.number(200)))]
        }
        #expect(
            try await jokes(#"{"status":200,"joke":{"question":"Un canard ?","answer":"Deux."}}"#, mapping)
                == [FetchedJoke(setup: "Un canard ?", punchline: "Deux.")])
        let failed = try await outcome(of: .json(#"{"status":404,"joke":{"question":"a","answer":"b"}}"#), mapping)
        #expect(try failed.get().map(\.progress.drawError?.code) == [.upstreamError])
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
