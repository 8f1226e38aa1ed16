import { readFileSync } from "node:fs";
import { fromRoot } from "../../scripts/lib/paths";

/** Matches a URL path against a pattern of public/_headers, in which "*" stands for any characters. */
const matchesPath = (pattern: string, url: string) =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*")}$`).test(url);

/**
 * The Content-Security-Policy that public/_headers gives a static file, in Cloudflare's semantics: a line with "!" removes the header of earlier
 * rules.
 */
export function assetPolicy(url: string): string | null {
  const policies: string[] = [];
  let isMatching = false;
  for (const line of readFileSync(fromRoot("public", "_headers"), "utf8").split("\n")) {
    if (/^\S/.test(line)) isMatching = matchesPath(line.trim(), url);
    else if (isMatching && /^\s+! *Content-Security-Policy$/i.test(line)) policies.length = 0;
    else if (isMatching) {
      const [, policy] = /^\s+Content-Security-Policy: (.*)$/i.exec(line) ?? [];
      if (policy) policies.push(policy);
    }
  }
  return policies.length > 0 ? policies.join(", ") : null;
}
