import * as z from "zod";
import { CHECK_REASON_MAX } from "./upload-check";

const VerdictSchema = z.object({
  verdict: z.enum(["clean", "rejected"]),
  reason: z.string().optional(),
});

/** The verdict of the external service that checks uploads. */
export type Verdict =
  | { readonly verdict: "clean" }
  | { readonly verdict: "rejected"; readonly reason: string };

/** Reads a verdict from the body of a response; null if it contains none. */
export function readVerdict(body: string): Verdict | null {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return null;
  }
  const parsed = VerdictSchema.safeParse(json);
  if (!parsed.success) return null;
  const { verdict, reason = "" } = parsed.data;
  if (verdict === "clean") return { verdict };
  const printable = [...reason].map((character) =>
    character < " " || character === "\u007f" ? " " : character,
  );
  return { verdict, reason: printable.join("").trim().slice(0, CHECK_REASON_MAX) };
}
