import fc from "fast-check";
import { expect, it } from "vitest";
import { regroupMultipart } from "./regroup-multipart";

/** Streams the bytes, split at the given positions. */
const streamOf = (bytes: Uint8Array, positions: readonly number[]) => {
  const ends = [...new Set(positions.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks = [...ends, bytes.length].map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
};

async function partsOf(body: ReadableStream<Uint8Array>, boundary: string): Promise<unknown[]> {
  const text = await new Response(body).text();
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => JSON.parse(part.slice(part.indexOf("\r\n\r\n"))) as unknown);
}

it("passes parts on unchanged, for any chunks and any content", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("--graphql", "\r\n--graphql--", "藍")),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.boolean(),
      async (texts, positions, isQuoted) => {
        const parts = texts.map((text, index) => ({ data: { text }, hasNext: index < texts.length - 1 }));
        const partsText = parts
          .map((part) => `\r\n--graphql\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(part)}`)
          .join("");
        const bytes = new TextEncoder().encode(`${partsText}\r\n--graphql--\r\n`);
        const type = `multipart/mixed; boundary=${isQuoted ? '"graphql"' : "graphql"}; deferSpec=20220824`;
        const { body, boundary } = regroupMultipart(streamOf(bytes, positions), type);
        expect(boundary).toMatch(/^[0-9a-f]{32}$/);
        expect(await partsOf(body, boundary)).toEqual(parts);
      },
    ),
  );
});

it("passes on the complete parts of a stream that ends early, and drops the rest", async () => {
  const text = '--graphql\r\n\r\n{"a":1}\r\n--graphql\r\n\r\n{"b":';
  const { body, boundary } = regroupMultipart(
    streamOf(new TextEncoder().encode(text), [3, 20]),
    "multipart/mixed; boundary=graphql",
  );
  expect(await partsOf(body, boundary)).toEqual([{ a: 1 }]);
});
