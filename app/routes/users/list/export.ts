import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { parseUserListQuery } from "~/domain/users/user-list.schema";
import { requireAdministratorSession } from "../administrator.server";

/** Streams the filtered user list as a CSV file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = await requireAdministratorSession(context);
  const query = parseUserListQuery(new URL(request.url).searchParams);
  const lines = (await context.services.users.exportUsers({ actor, query }))[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  const day = new Date(context.now).toISOString().slice(0, 10);
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="users-${day}.csv"`,
      "cache-control": "no-store",
    },
  });
}
