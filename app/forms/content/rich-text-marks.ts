/** Formatting that the buttons and keys of a rich text field apply. */
export type TextMark = "bold" | "italic" | "heading" | "list" | "link";
/** Start and end of a selection in a text. */
export type Span = readonly [start: number, end: number];

/** Keys that apply marks: with Cmd on a Mac, where Ctrl moves the cursor and deletes text, and with Ctrl elsewhere. */
export const MARK_KEYS: Readonly<Partial<Record<TextMark, string>>> = { bold: "B", italic: "I", link: "K" };

/** Returns the mark for a pressed key; null for other keys. @param isMac whether the keyboard is an Apple keyboard */
export function getMarkForKey(
  event: {
    readonly key: string;
    readonly ctrlKey: boolean;
    readonly metaKey: boolean;
    readonly altKey: boolean;
    readonly shiftKey: boolean;
  },
  isMac: boolean,
): TextMark | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const [modifier, otherModifier] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (!modifier || otherModifier || altKey || shiftKey) return null;
  const match = Object.entries(MARK_KEYS).find(([, markKey]) => markKey === key.toUpperCase());
  return match ? (match[0] as TextMark) : null;
}

const WRAP_MARKERS: Readonly<Partial<Record<TextMark, string>>> = { bold: "**", italic: "*" };
/** Returns whether a text with this number of asterisks on each side has the mark of `marker`: one is italic, two are bold, three are both. */
const hasMark = (asteriskCount: number, marker: string): boolean =>
  marker === "*" ? asteriskCount % 2 === 1 : asteriskCount >= 2;
const LINE_MARKERS: Readonly<Partial<Record<TextMark, string>>> = { heading: "## ", list: "- " };

/** Adds a mark to the selected text, or removes it if the text already has it; a link is only added. Returns the new text and selection. */
export function toggleMark(
  text: string,
  [start, end]: Span,
  mark: TextMark,
): { text: string; selection: [number, number] } {
  const wrapMarker = WRAP_MARKERS[mark];
  if (wrapMarker !== undefined) return toggleAround(text, start, end, wrapMarker);
  const lineMarker = LINE_MARKERS[mark];
  if (lineMarker !== undefined) return toggleLines(text, start, end, lineMarker);
  const selectedText = text.slice(start, end);
  const prefix = "https://";
  const urlStart = start + selectedText.length + 3;
  return {
    text: `${text.slice(0, start)}[${selectedText}](${prefix})${text.slice(end)}`,
    // Selects the missing part: the URL if there is link text, otherwise the link text.
    selection: selectedText === "" ? [start + 1, start + 1] : [urlStart, urlStart + prefix.length],
  };
}

function toggleAround(text: string, selectionStart: number, selectionEnd: number, marker: string) {
  const [start, end] = trimSelection(text, selectionStart, selectionEnd);
  const selectedText = text.slice(start, end);
  const size = marker.length;
  const asteriskCount = Math.min(
    countAsterisksBefore(text, start),
    /^\**/.exec(text.slice(end))?.[0].length ?? 0,
  );
  if (hasMark(asteriskCount, marker))
    return {
      text: text.slice(0, start - size) + selectedText + text.slice(end + size),
      selection: [start - size, end - size] as [number, number],
    };
  return {
    text: text.slice(0, start) + marker + selectedText + marker + text.slice(end),
    selection: [start + size, end + size] as [number, number],
  };
}

/** Shrinks a selection: without spaces at its ends, because Markdown recognizes no markers beside spaces, and without markers that enclose all of it. */
function trimSelection(text: string, selectionStart: number, selectionEnd: number): Span {
  const selectedText = text.slice(selectionStart, selectionEnd);
  const trimmedText = selectedText.trim();
  if (trimmedText === "") return [selectionStart, selectionEnd];
  const start = selectionStart + selectedText.indexOf(trimmedText);
  const [, opening = "", markedText = "", closing = ""] = /^(\**)(.*?)(\**)$/s.exec(trimmedText) ?? [];
  const size = Math.min(opening.length, closing.length);
  const innerText = trimmedText.slice(size, trimmedText.length - size);
  const isMarked = markedText !== "" && innerText.trim() === innerText && canBeEnclosed(innerText, size);
  const markerSize = isMarked ? size : 0;
  return [start + markerSize, start + trimmedText.length - markerSize];
}

/** Returns false if a marker inside of a text would close the markers around it. @param size number of their asterisks on each side */
function canBeEnclosed(text: string, size: number): boolean {
  let depth = 0;
  for (const { 0: run, index } of text.matchAll(/\*+/g)) {
    const canOpen = /\S/.test(text.charAt(index + run.length));
    const canClose = /\S/.test(text.charAt(index - 1));
    // A marker between two letters closes the latest open marker. Without one, it closes the enclosing markers only if it has their length.
    const opens = canOpen && (!canClose || (depth === 0 && run.length !== size));
    depth += opens ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Counts the unescaped asterisks directly before a position. */
function countAsterisksBefore(text: string, position: number): number {
  const [, backslashes = "", run = ""] = /(\\*)(\**)$/.exec(text.slice(0, position)) ?? [];
  return Math.max(0, run.length - (backslashes.length % 2));
}

function toggleLines(text: string, start: number, end: number, marker: string) {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const newline = text.indexOf("\n", end);
  const lineEnd = newline === -1 ? text.length : newline;
  const lines = text.slice(lineStart, lineEnd).split("\n");
  const isMarked = lines.every((line) => line.startsWith(marker));
  const changedLines = lines.map((line) => (isMarked ? line.slice(marker.length) : marker + line)).join("\n");
  return {
    text: text.slice(0, lineStart) + changedLines + text.slice(lineEnd),
    selection: [lineStart, lineStart + changedLines.length] as [number, number],
  };
}
