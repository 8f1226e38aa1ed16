import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { productIdOf } from "~/domain/store/store-ids";
import { testStore } from "../../events/record/event-action";
import { uuidParam } from "../../shared/uuid-param";
import { readFoundProducts, readProducts, readShop } from "./store-read.server";

/** Store queries of the editor after the page has loaded: `?ask=name`, `?find=…` for products by their titles, or `?products=101.102` for the states of products by their numbers, joined by dots. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const input = { context, actor, eventId: uuidParam(params.uuid) };
  const searchParams = new URL(request.url).searchParams;
  if (searchParams.get("ask") === "name") return Response.json(await readShop(input));
  if (searchParams.has("find")) return Response.json(await readFoundProducts({ ...input, searchParams }));
  const ids = (searchParams.get("products") ?? "").split(".").flatMap((number) => productIdOf(number) ?? []);
  return Response.json(
    await readProducts(
      input,
      ids.map((id) => ({ id, title: "" })),
    ),
  );
}

/** Tests the connection to a store with the typed values, while the form stays on the page. */
export async function action({ params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const form = await context.form.read();
  return Response.json(await testStore(context, actor, uuidParam(params.uuid), form));
}
