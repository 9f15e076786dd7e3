/// The style and the script of the page that `HTMLExport` writes. They contain no `<` and no `&`, so that the page is
/// well-formed XML.
enum HTMLPage {
    static let style = """

        :root {
          color-scheme: light dark;
          --page: #faf6ef; --card: #fffdf9; --line: #e9e0d2; --text: #2b2622; --quiet: #7a6f64; --accent: #b3411f;
          --shade: 0 1px 2px rgb(80 60 30 / 6%), 0 6px 20px rgb(80 60 30 / 5%);
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #191715; --card: #23201d; --line: #423b34; --text: #ece5dc; --quiet: #a1968a; --accent: #f5a97f;
            --shade: none;
          }
        }
        * { box-sizing: border-box; }
        body {
          max-width: 42rem; margin: 0 auto; padding: 0 1.25rem 3rem; background: var(--page); color: var(--text);
          font: 1rem/1.5 system-ui, sans-serif;
        }
        h1, h2, .setup, .punchline { font-family: ui-serif, Charter, "Iowan Old Style", Georgia, serif; }
        header { padding: 3.5rem 0 1.75rem; }
        h1 { margin: 0; font-size: 2.5rem; line-height: 1.15; letter-spacing: -0.01em; }
        h2 { margin: 2.5rem 0 1rem; font-size: 1.4rem; }
        #search { display: flex; align-items: baseline; gap: 1rem; margin-top: 1.25rem; }
        #search[hidden] { display: none; }
        input {
          flex: 1; min-width: 0; padding: 0.55rem 1rem; border: 1px solid var(--line); border-radius: 999px;
          background: var(--card); color: inherit; font: inherit;
        }
        input:focus-visible, a:focus-visible { outline: 2px solid var(--accent); }
        input::placeholder { color: var(--quiet); opacity: 1; }
        output { color: var(--quiet); font-size: 0.9rem; }
        output:empty { display: none; }
        article {
          margin: 0 0 1rem; padding: 1.35rem 1.5rem 1.1rem; border: 1px solid var(--line); border-radius: 0.9rem;
          background: var(--card); box-shadow: var(--shade);
          content-visibility: auto; contain-intrinsic-size: auto 10rem;
        }
        section:not(:has(article:not([hidden]))) { display: none; }
        p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
        .setup { font-size: 1.2rem; }
        .punchline { margin-top: 0.75rem; color: var(--accent); font-size: 1.2rem; font-weight: 600; }
        .columns { overflow-x: auto; font: 0.85rem/1.35 ui-monospace, monospace; white-space: pre; }
        .note {
          margin-top: 0.9rem; padding-inline-start: 0.8rem; border-inline-start: 3px solid var(--line);
          font-style: italic;
        }
        article footer { margin-top: 0.9rem; }
        footer { color: var(--quiet); font-size: 0.85rem; overflow-wrap: anywhere; }
        body > footer { margin-top: 2rem; text-align: center; }
        a { color: inherit; text-decoration-color: var(--accent); text-underline-offset: 0.2em; }
        a:hover { color: var(--accent); }
        @media print {
          :root {
            color-scheme: light;
            --page: #fff; --card: #fff; --line: #ccc; --text: #000; --quiet: #555; --accent: #000; --shade: none;
          }
          body { max-width: none; padding: 0; }
          header { padding: 0 0 1rem; }
          #search { display: none; }
          article { padding: 0 0 1rem; border-width: 0 0 1px; border-radius: 0; break-inside: avoid; }
          article { content-visibility: visible; }
          .columns { white-space: pre-wrap; }
          a { text-decoration: none; }
          a::after { content: " (" attr(href) ")"; }
        }

        """

    /// Shows the search field, and only the jokes that have all words in the field. Case and accents do not matter.
    static let script = #"""

        "use strict";
        const box = document.querySelector("#search");
        const [field, count] = box.children;
        const fold = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
        const articles = document.querySelectorAll("article");
        const jokes = Array.from(articles, joke => ({ joke, text: fold(joke.textContent) }));
        const search = () => {
          const words = fold(field.value).split(/\s+/);
          const found = jokes.filter(({ joke, text }) => !(joke.hidden = !words.every(word => text.includes(word))));
          count.textContent = found.length === jokes.length ? "" : `${found.length} of ${jokes.length}`;
        };
        field.addEventListener("input", search);
        box.hidden = jokes.length === 0;
        // A browser may keep the text of the field when it loads the page again.
        search();

        """#
}
