import { readFileSync } from "node:fs";
import { fromRoot } from "../../scripts/lib/paths";

/** Whether a path of public/_headers means an address: its "*" stands for anything. */
const matchesPath = (path: string, address: string) =>
  new RegExp(`^${path.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*")}$`).test(address);

/**
 * The Content-Security-Policy that public/_headers gives a static file, as the platform reads it: a line with "!" takes away what
 * earlier rules have said.
 */
export function assetPolicy(address: string): string | null {
  const policies: string[] = [];
  let isMatching = false;
  for (const line of readFileSync(fromRoot("public", "_headers"), "utf8").split("\n")) {
    if (/^\S/.test(line)) isMatching = matchesPath(line.trim(), address);
    else if (isMatching && /^\s+! *Content-Security-Policy$/i.test(line)) policies.length = 0;
    else if (isMatching) {
      const [, policy] = /^\s+Content-Security-Policy: (.*)$/i.exec(line) ?? [];
      if (policy) policies.push(policy);
    }
  }
  return policies.length > 0 ? policies.join(", ") : null;
}
