import { inject } from "vitest";
import { caller, unescapeHtml } from "./api/caller";

export interface ReadMail {
  readonly subject: string;
  readonly text: string;
  /** Path and query of the first URL in the text. */
  readonly link: string;
}

/**
 * Reads the development mailbox until the latest mail to an address contains a URL and `matches` accepts it. Mails are sent after the
 * response.
 * @throws after 100 attempts
 */
export async function latestMail(
  to: string,
  origin = inject("origin"),
  matches: (mail: ReadMail) => boolean = () => true,
): Promise<ReadMail> {
  const reader = caller(null, origin);
  for (let attempt = 0; attempt < 100; attempt++) {
    const list = await reader.get(`/dev/mail?to=${encodeURIComponent(to)}`);
    const [, path] = /href="(\/dev\/mail\/[0-9a-f-]{36})"/.exec(list.text) ?? [];
    const page = path ? await reader.get(path) : null;
    const [, subject = ""] = /<h1[^>]*>([^<]*)</.exec(page?.text ?? "") ?? [];
    const [, body = ""] = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(page?.text ?? "") ?? [];
    const text = unescapeHtml(body.replace(/<[^>]+>/g, ""));
    const [url] = /https?:\/\/\S+/.exec(text) ?? [];
    if (url) {
      const { pathname, search } = new URL(url);
      const mail = { subject: unescapeHtml(subject), text, link: pathname + search };
      if (matches(mail)) return mail;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`No such mail to ${to}`);
}
