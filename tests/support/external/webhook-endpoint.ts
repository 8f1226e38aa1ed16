/** A webhook endpoint for browser tests. */

/** A host name that looks public. */
export const RECEIVER_HOST = "receiver.hiroba.example";

/** Handles a message: a path such as /503 gives that status, every other path gives 200 and the message's type. */
export async function handleWebhook(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const { type } = (await request.json()) as { type: string };
  const status = Number(pathname.slice(1));
  return status >= 400 ? new Response("no room", { status }) : new Response(`received ${type}`);
}
