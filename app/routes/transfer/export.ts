import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { contentDisposition } from "~/domain/shared/content-disposition";
import { PACKAGE_TYPE } from "~/domain/transfer/package-format";
import { uuidParam } from "../shared/uuid-param";

/** Streams an event or a space as a package: one ZIP file that every installation can import. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const { packages } = context.services;
  const file =
    params.uuid === undefined
      ? await packages.exportSpace({ actor, spaceId: uuidParam(params.spaceUuid) })
      : await packages.exportEvent({ actor, eventId: uuidParam(params.uuid) });
  return new Response(file.body, {
    headers: {
      "content-type": PACKAGE_TYPE,
      "content-disposition": contentDisposition(file.fileName, "attachment"),
      "cache-control": "private, no-store",
    },
  });
}
