import FoundationEssentials

/// The command that puts a text into the clipboard of whoever sits at the terminal: OSC 52, the text in base64, which
/// has no character that a terminal would obey. A terminal may be set up not to listen.
package func clipboardCommand(_ text: String) -> String {
    "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
}
