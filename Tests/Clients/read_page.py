#!/usr/bin/env python3
"""Reads pages that `jokesctl export --format html` wrote, as HTML and as XML, and prints their jokes.

    read_page.py FILE…

Prints a line of JSON for each page: a list of its jokes. Fails if the two parsers read different pages, or if a page has
an element or attribute that none of our pages has, or a style or script that its policy does not allow.
"""

import base64
import hashlib
import html.parser
import json
import sys
import xml.etree.ElementTree

ATTRIBUTES = {
    "html": {"lang"}, "head": set(), "meta": {"charset", "http-equiv", "content", "name"}, "title": set(), "style": set(),
    "body": set(), "header": set(), "h1": set(), "div": {"id", "role", "hidden"},
    "input": {"type", "placeholder", "aria-label", "autocomplete"}, "output": set(), "main": set(), "section": set(),
    "h2": set(), "article": set(), "p": {"class", "dir", "lang"}, "footer": set(), "a": {"href"}, "bdi": set(),
    "time": {"datetime"}, "script": set(),
}


class Events(html.parser.HTMLParser):
    """The tags and texts of a page, in their order."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.events = []

    def handle_starttag(self, tag, attributes):
        self.events.append(("start", tag, sorted(attributes)))

    def handle_endtag(self, tag):
        self.events.append(("end", tag))

    def handle_data(self, text):
        if text and self.events[-1][0] == "text":
            self.events[-1] = ("text", self.events[-1][1] + text)
        elif text and self.events:
            self.events.append(("text", text))

    def handle_decl(self, declaration):
        assert declaration == "DOCTYPE html", declaration
        self.events.append(("start", "!DOCTYPE", []))

    def handle_comment(self, text):
        raise AssertionError("a comment")

    handle_pi = unknown_decl = handle_comment


def html_events(text):
    reader = Events()
    reader.feed(text)
    reader.close()
    # The declaration and the line feeds around the root element are not part of the XML document.
    assert reader.events[:2] == [("start", "!DOCTYPE", []), ("text", "\n")] and reader.events[-1] == ("text", "\n")
    return reader.events[2:-1]


def xml_events(element):
    events = [("start", element.tag, sorted(element.attrib.items()))]
    if element.text:
        events.append(("text", element.text))
    for child in element:
        events += xml_events(child)
        if child.tail:
            events.append(("text", child.tail))
    return events + [("end", element.tag)]


def hash_source(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def check_policy(root):
    [style], [script] = root.findall(".//style"), root.findall(".//script")
    [policy] = [meta.get("content") for meta in root.iter("meta") if meta.get("http-equiv")]
    assert policy == (
        f"default-src 'none'; style-src {hash_source(style.text)}; script-src {hash_source(script.text)}; "
        "base-uri 'none'; form-action 'none'"), policy


def joke(article, section):
    def part(name):
        found = [p for p in article.findall("p") if p.get("class").split()[0] == name]
        assert len(found) <= 1 and all(p.get("dir") == "auto" and len(p) == 0 for p in found)
        return (found[0].text or "", found[0].get("lang")) if found else (None, None)

    footer = article.find("footer")
    link, author, time = footer.find("a"), footer.find("bdi"), footer.find("time")
    assert link is None or link.get("href").startswith(("https://", "http://", "HTTPS://", "HTTP://"))
    source = (footer.text or "").split(" · ")[0] if link is None else link.text or ""
    details = [source, None if author is None else author.text or "", time.text]
    assert "".join(footer.itertext()) == " · ".join(detail for detail in details if detail is not None)
    setup, language = part("setup")
    return {
        "section": section, "setup": setup, "punchline": part("punchline")[0], "note": part("note")[0],
        "language": language, "link": None if link is None else link.get("href"), "source": source,
        "author": details[1], "day": time.get("datetime"),
    }


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    root = xml.etree.ElementTree.fromstring(text)
    assert xml_events(root) == html_events(text), "the parsers disagree"
    for element in root.iter():
        unknown = set(element.attrib) - ATTRIBUTES[element.tag]
        assert not unknown, f"{element.tag}: {unknown}"
    check_policy(root)
    jokes = []
    for section in root.findall("./body/main/section"):
        title = section.find("h2")
        jokes += [joke(article, None if title is None else title.text) for article in section.findall("article")]
    assert len(jokes) == len(root.findall(".//article"))
    return jokes


for path in sys.argv[1:]:
    print(json.dumps(read(path)))
