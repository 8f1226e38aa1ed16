/** A receiver of webhooks, as far as tests in a browser need one: it answers as its path says, and with what it was sent. */

/** Its name, which looks like a public one. */
export const RECEIVER_HOST = "receiver.hiroba.example";

/** Answers a message: at /503 and such with that status, else with 200 and the message's type. */
export async function handleWebhook(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const { type } = (await request.json()) as { type: string };
  const status = Number(pathname.slice(1));
  return status >= 400 ? new Response("no room", { status }) : new Response(`received ${type}`);
}
