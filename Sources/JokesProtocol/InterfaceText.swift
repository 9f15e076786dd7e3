/// The interface `org.jokesd.Jokes`, as `GetInterfaceDescription` serves it.
package enum JokesInterface {
    package static let name = "org.jokesd.Jokes"

    /// The method's full name, as calls carry it.
    package static func method(_ method: String) -> String {
        "\(name).\(method)"
    }

    /// Every method, type and error, each with its meaning. The order is for people.
    package static let description = """
        # Jokes from many sources, cached: the service of jokesd.
        # Times are microseconds since 1970, UTC. In answers an absent array is an empty one; in parameters an absent
        # member leaves the choice to the daemon. A joke is named by its full id, or by any prefix of it that names one.
        interface org.jokesd.Jokes

        # A joke as it is shown. Text is clean: no control character but the line feed.
        type Joke (
          id: string,
          # The whole joke, or what comes before the pause.
          setup: string,
          # Absent where the joke comes in one piece.
          punchline: ?string,
          # BCP 47, und where unknown.
          language: string,
          categories: []string,
          # Of nsfw, religious, political, racist, sexist, explicit.
          flags: []string,
          safety: (safe, unsafe, unknown),
          url: ?string,
          author: ?string,
          # The upstream's own date, as it wrote it.
          date: ?string,
          # This joke, or another telling of it, is a favorite.
          starred: bool,
          firstSeen: int
        )

        # A favorite: its own copy of the text, which no source can take away.
        type FavoriteJoke (
          # The joke that was starred.
          id: string,
          setup: string,
          punchline: ?string,
          language: string,
          categories: []string,
          flags: []string,
          safety: (safe, unsafe, unknown),
          url: ?string,
          author: ?string,
          date: ?string,
          favoritedAt: int,
          firstSeen: int,
          # What somebody wrote about it.
          note: ?string
        )

        # A stretch of a joke's text: bytes of its UTF-8, from start on and before end. Both are between code points.
        type Stretch (
          part: (setup, punchline),
          start: int,
          end: int
        )

        # A joke that was searched for.
        type FoundJoke (
          joke: Joke,
          # Where it says what was searched for: the setup's first, in their order, none over another, at most 16.
          marks: []Stretch,
          # What to show of it where there is no room for all.
          snippet: Stretch
        )

        # That somebody does not want to see a joke any more; its text is not kept with the mark.
        type HiddenMark (
          # 64 hexadecimal digits, of the joke and of its other tellings.
          fingerprint: string,
          hiddenAt: int
        )

        # What an import brought, and what was there already.
        type ImportReport (
          newFavorites: int,
          # Were there, and got the note that they lacked.
          changedFavorites: int,
          knownFavorites: int,
          newHidden: int,
          knownHidden: int,
          newJokes: int,
          knownJokes: int,
          # Of the new favorites and jokes: how many the filter leaves out.
          leftOut: int
        )

        # Holds the place of a joke that is being fetched.
        type Loading (
          number: int
        )

        # A row. The member named like the kind is there, the other two are not.
        # Skip kinds that you do not know.
        type Item (
          kind: (loading, joke, favorite),
          # Unique over all sections of a snapshot.
          id: string,
          loading: ?Loading,
          joke: ?Joke,
          favorite: ?FavoriteJoke
        )

        type FavoritesHeader (
          count: int
        )

        type JokesHeader (
          # Different jokes in the cache that pass the filter.
          cached: int,
          # When a source was last asked with success.
          lastSync: ?int,
          syncing: bool,
          # No source could be reached.
          offline: bool,
          # The sources whose last attempt failed.
          failing: []string,
          # There was damage, and nobody has seen yet what became of it: see Status.
          recovered: ?bool
        )

        type SearchHeader (
          query: string,
          count: int
        )

        # A section. The member named like the kind is there: what its header shows.
        type Section (
          kind: (favoriteJokes, jokes, searchResults),
          id: string,
          favoriteJokes: ?FavoritesHeader,
          jokes: ?JokesHeader,
          searchResults: ?SearchHeader
        )

        # A section with all its rows, or with the next of them where a snapshot comes in pieces.
        type FilledSection (
          section: Section,
          items: []Item
        )

        type SectionPlace (
          section: Section,
          index: int
        )

        type SectionMove (
          id: string,
          index: int
        )

        # Neighbours that were inserted: the first stands at the index, the others follow it.
        type ItemRun (
          section: string,
          index: int,
          items: []Item
        )

        type ItemMove (
          id: string,
          section: string,
          index: int
        )

        # What changed since generation base. To apply it: take out deletedItems and the moved items, then
        # deletedSections and the moved sections; put movedSections and insertedSections in, lowest index first; then
        # movedItems and the items of insertedItems, section by section, lowest index first; then replace by their ids
        # updatedSections and updatedItems. Indices count in the new snapshot. docs/protocol.md has an example.
        type Difference (
          base: int,
          deletedItems: ?[]string,
          deletedSections: ?[]string,
          movedSections: ?[]SectionMove,
          insertedSections: ?[]SectionPlace,
          movedItems: ?[]ItemMove,
          insertedItems: ?[]ItemRun,
          updatedSections: ?[]Section,
          updatedItems: ?[]Item
        )

        # What a watcher wants to see. Absent members mean the daemon's own choice.
        type View (
          # Only these sections, by id.
          sections: ?[]string,
          # So many jokes in section jokes, 1 to 1000.
          size: ?int
        )

        # How a source does.
        type SourceHealth (
          name: string,
          type: string,
          enabled: bool,
          syncing: bool,
          # How many of its jokes are stored, and how many of them are shown: they pass the filter, and no earlier
          # source tells them too.
          jokes: int,
          shown: int,
          # How many the last sync brought that were not there, and how many of its items were refused.
          new: int,
          refused: int,
          lastAttempt: ?int,
          lastSuccess: ?int,
          # Since when, why and how often in a row it fails; absent and 0 while all is well.
          failingSince: ?int,
          failure: ?string,
          failures: int,
          # What there is to say of it though it does not fail: a file that is optional and not there.
          note: ?string,
          # Absent while it is being asked, is disabled, or waits for the network to be back.
          nextAttempt: ?int,
          # How many requests may go out now, and what its rate is; absent where it has none.
          requestsLeft: ?int,
          rate: ?RequestRate
        )

        # So many requests in any stretch of time that long.
        type RequestRate (
          requests: int,
          perMs: int
        )

        # What a sync has brought, so far or at its end.
        type SyncReport (
          # Jokes that the source told, and of those: new ones, ones that say something else than before, and other
          # tellings of jokes that are here.
          seen: int,
          new: int,
          changed: int,
          duplicates: int,
          # Items of its answers that were none, or none that can be shown.
          refused: int,
          # Its rate allows no more for a while; it goes on by itself.
          paused: bool,
          note: ?string,
          elapsedMs: int
        )

        # What came of the wish to refresh a source, how the refresh comes along, and how it ended.
        type RefreshedSource (
          name: string,
          state: (started, alreadyRunning, tooSoon, disabled, syncing, succeeded, failed),
          # With tooSoon: when its rate allows the next attempt.
          retryAfterMs: ?int,
          # With syncing and succeeded.
          report: ?SyncReport,
          # With failed: why.
          failure: ?string
        )

        # A database that was damaged, moved aside, and begun anew with what could be read of it.
        type Recovery (
          at: int,
          reason: string,
          # Where it is now: nothing removes it.
          damagedFile: string,
          # Favorites that were kept, and how many at least could not be read.
          favorites: int,
          favoritesLost: int
        )

        method Status() -> (
          version: string,
          # A new one for each start of the daemon; generations count within it.
          epoch: string,
          generation: int,
          startedAt: int,
          # Different jokes that pass the filter, and all that are stored.
          cached: int,
          stored: int,
          # Favorites that pass the filter, and those that do not: they are kept, and not shown.
          favorites: int,
          favoritesLeftOut: int,
          sources: int,
          failing: []string,
          syncing: bool,
          offline: bool,
          lastSync: ?int,
          nextSync: ?int,
          subscribers: int,
          # Why changes cannot be stored, and what can be done about it; absent while they can.
          storageFailure: ?string,
          storageHint: ?string,
          # What became of a damaged database, the last one last, until somebody has seen it.
          recoveries: []Recovery
        )

        # A person has seen the recoveries up to a time: Status tells of them no longer. For programs that show them to
        # people, and no others.
        method AcknowledgeRecoveries(until: int) -> ()

        method Sources() -> (sources: []SourceHealth)

        # Newest first, a page at a time: pass next on as cursor until it is absent. At most 100 a page, 50 unless said.
        method List(source: ?string, category: ?string, cursor: ?string, limit: ?int) -> (
          jokes: []Joke,
          total: int,
          next: ?string
        )

        # Jokes with all the words of the query, whatever their case and accents. "Words in quotes" stand side by side,
        # -word must not be there, word* is the beginning of one; so is a word that the query ends with.
        # Best first, a page at a time, as List. No joke that is there all the time comes twice or is left out, whatever
        # else comes, goes or is edited. A cursor is good for its query only. A query is 1 to 1000 bytes.
        method Search(query: string, cursor: ?string, limit: ?int) -> (
          found: []FoundJoke,
          # How many there were on the first page; where exact is false, at least so many.
          total: int,
          exact: bool,
          next: ?string
        )

        method Get(id: string) -> (
          joke: Joke,
          # 64 hexadecimal digits; equal for tellings of one joke.
          fingerprint: string,
          lastSeen: int,
          # Since when its source no longer has it.
          missingSince: ?int,
          # Ids of the other tellings of this joke, which are shown as this one.
          duplicates: []string
        )

        # A joke that was not told before, as long as there is one.
        method Random(source: ?string, category: ?string, language: ?string, maxLength: ?int) -> (joke: Joke)

        # Stars a joke. The answer comes when the favorite is on disk; starring it again changes nothing but the note,
        # where one is given: at most 500 characters, none to remove it.
        method Favorite(id: string, note: ?string) -> (favorite: FavoriteJoke)

        # Takes the star from a joke and from its other tellings. changed is false where it had none.
        method Unfavorite(id: string) -> (changed: bool)

        # Shows a joke and its other tellings no longer, whoever asks. One that is a favorite stays among the favorites.
        # The answer comes when that is on disk. changed is false where it was hidden already.
        method Hide(id: string) -> (changed: bool)

        # Shows a joke again that was hidden. changed is false where it was not.
        method Unhide(id: string) -> (changed: bool)

        # Newest first, a page at a time, as List.
        method Favorites(cursor: ?string, limit: ?int) -> (favorites: []FavoriteJoke, total: int, next: ?string)

        # Takes out the favorites and what is hidden, with all all cached jokes too: each list newest first, a piece at a
        # time. Pass next on as cursor until it is absent, and all with it. What the filter leaves out is not told.
        method Export(all: ?bool, cursor: ?string) -> (
          favorites: ?[]FavoriteJoke,
          hidden: ?[]HiddenMark,
          jokes: ?[]Joke,
          next: ?string
        )

        # Brings favorites, what is hidden, and jokes, in as many pieces as it takes, each list newest first. The first
        # piece comes without an id and is answered with one, which the others carry. With last all of it is taken in, on
        # disk, and reported; before that nothing is, and nothing where an error is answered. One whose next piece does
        # not come for a minute is forgotten. What is there already stays as it is; docs/export.md has the rules.
        method Import(
          id: ?string,
          favorites: ?[]FavoriteJoke,
          hidden: ?[]HiddenMark,
          jokes: ?[]Joke,
          last: ?bool
        ) -> (id: ?string, report: ?ImportReport)

        # Asks the sources named, or all, as soon as their rates allow. With more, tells how each one comes along and ends.
        # [Supports 'more' flag]
        method Refresh(sources: ?[]string) -> (sources: []RefreshedSource)

        # One full snapshot; with more, that and then differences for as long as the connection lives. A client that
        # comes back passes the epoch and generation it has, and gets the difference where the daemon still knows it.
        # A snapshot may come in pieces: complete is false in all but the last.
        # [Supports 'more' flag]
        method Watch(view: ?View, epoch: ?string, generation: ?int) -> (
          epoch: string,
          generation: int,
          complete: ?bool,
          snapshot: ?[]FilledSection,
          difference: ?Difference
        )

        error NoSuchJoke (id: string)
        error AmbiguousId (id: string, matches: []string)
        error NoSuchSource (name: string)
        # No joke is cached, or none fits what was asked for.
        error NoJokes (reason: string)
        # The cache cannot be read or written, and what can be done about it.
        error StorageUnavailable (reason: string, hint: ?string)
        # Too many connections, or what the reason says: another process holds the lock of the database.
        error Busy (retryAfterMs: int, reason: ?string)
        # No import has this id, or no longer.
        error NoSuchImport (id: string)
        # A record is none that can be taken in; the import is forgotten.
        error ImportRefused (reason: string)

        """
}
