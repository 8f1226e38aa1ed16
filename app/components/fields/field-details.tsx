import { type ReactNode, useEffect, useRef, useState } from "react";
import { cx } from "../cx";
import { Icon } from "../icon";

/** Names of the localStorage entries: the groups that the user opened, and the groups that the user closed. */
const OPENED_ENTRY = "open-groups";
const CLOSED_ENTRY = "closed-groups";

function readNames(entry: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(entry) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function storeGroupState(name: string, isOpen: boolean): void {
  try {
    for (const [entry, shouldContain] of [
      [OPENED_ENTRY, isOpen] as const,
      [CLOSED_ENTRY, !isOpen] as const,
    ]) {
      const others = readNames(entry).filter((other) => other !== name);
      localStorage.setItem(entry, JSON.stringify(shouldContain ? [...others, name] : others));
    }
  } catch {
    // The browser may block storage. Groups then have their initial state on the next page.
  }
}

/** Returns the field of the group that the fragment of the URL names; null if there is none. */
function getNamedField(group: HTMLElement | null): HTMLElement | null {
  const field = document.getElementById(window.location.hash.slice(1));
  return group?.contains(field) ? field : null;
}

export interface FieldDetailsProps {
  /** Name of the group in localStorage, which stores whether the user opened or closed it. */
  readonly name: string;
  readonly title: string;
  /** Summary of the values in the group, which is visible while the group is closed. */
  readonly summary: ReactNode;
  /** Whether a field in the group has an error. The group is then open. */
  readonly hasError?: boolean;
  /** Whether the group is open until the user closes it. */
  readonly startsOpen?: boolean;
  readonly children: ReactNode;
}

/** A group of rarely needed fields that can be collapsed: `<FieldDetails name="marker" title=… summary="Blue">…</FieldDetails>`. */
export function FieldDetails({
  name,
  title,
  summary,
  hasError = false,
  startsOpen = false,
  children,
}: FieldDetailsProps) {
  const [isOpen, setOpen] = useState(hasError || startsOpen);
  const element = useRef<HTMLDetailsElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stored state is read only when the group is mounted
  useEffect(() => {
    const isClosed = startsOpen && !hasError && readNames(CLOSED_ENTRY).includes(name);
    const namedField = getNamedField(element.current);
    // The user may have opened the group before the scripts ran.
    setOpen(
      namedField !== null ||
        (!isClosed && (hasError || element.current?.open === true || readNames(OPENED_ENTRY).includes(name))),
    );
    if (!namedField || !element.current) return;
    element.current.open = true;
    namedField.focus();
  }, [name]);
  useEffect(() => {
    if (hasError) setOpen(true);
  }, [hasError]);
  return (
    <details
      ref={element}
      open={isOpen}
      suppressHydrationWarning
      // A browser cannot show the reason why a field in a closed group prevents submitting.
      onInvalidCapture={() => setOpen(true)}
      onToggle={({ currentTarget, target }) => {
        // The event also arrives from groups inside this one.
        if (target !== currentTarget || currentTarget.open === isOpen) return;
        setOpen(currentTarget.open);
        storeGroupState(name, currentTarget.open);
      }}
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 py-2 text-sm [&::-webkit-details-marker]:hidden">
        <span className="shrink-0 font-semibold">{title}</span>
        <span
          className={cx(
            "flex min-w-0 flex-1 items-center justify-end gap-2 text-right text-muted",
            "[details[open]>summary>&]:invisible",
          )}
        >
          {typeof summary === "string" ? <span className="truncate">{summary}</span> : summary}
        </span>
        <Icon
          name="chevron-down"
          size={16}
          className="shrink-0 text-faint [details[open]>summary>&]:rotate-180"
        />
      </summary>
      <div className="grid grid-cols-1 gap-4 pt-1 pb-5">{children}</div>
    </details>
  );
}

/** A list of groups of fields, separated by lines. */
export function FieldDetailsList({ children }: { readonly children: ReactNode }) {
  return <div className="ruled empty:hidden">{children}</div>;
}
