import type { SpaceSource } from "../shared/model";

/** URL parameters of a showcase (a space that Matterport hosts) by purpose, in the order of the forms. */
const GROUPS = {
  start: ["play", "qs", "help", "title", "brand", "lang", "ts", "nt"],
  navigation: ["dh", "fp", "f", "views", "search", "vr", "wh", "nozoom", "wts"],
  labels: ["labels", "mt", "tagNav", "pin", "portal", "measurements"],
  tour: ["tour", "gt", "hr", "hl", "lp", "tourcta", "kb", "st", "sspa"],
  share: ["share", "mls"],
} as const;

/**
 * Whether URL parameters have an effect in a space: only Matterport's showcase reads them. Events of other spaces store them
 * all the same.
 */
export const hasUrlParamEffect = ({ kind }: Pick<SpaceSource, "kind">): boolean => kind === "showcase";

/** Group of parameters; `other` has those that are in no group. */
export type UrlParamGroup = keyof typeof GROUPS | "other";

/** Sorts names of parameters into groups, each in the group's order. Empty groups are left out. */
export function groupParams(
  names: readonly string[],
): readonly { readonly group: UrlParamGroup; readonly names: readonly string[] }[] {
  const grouped = new Set<string>(Object.values(GROUPS).flat());
  const groups = Object.entries(GROUPS).map(([group, members]) => ({
    group: group as UrlParamGroup,
    names: members.filter((name) => names.includes(name)) as readonly string[],
  }));
  const other = { group: "other", names: names.filter((name) => !grouped.has(name)) } as const;
  return [...groups, other].filter((entry) => entry.names.length > 0);
}
