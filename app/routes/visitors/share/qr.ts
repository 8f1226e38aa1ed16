import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import qrcode from "qrcode-generator";
import { toUuid } from "~/domain/shared/ids";
import { readViewerLink } from "~/viewer/Viewer";
import { eventLink } from "./event-link";

/**
 * QR code of a visitor's link as an SVG image: `/event/{published|preview}/{uuid}/qr?token=…[&view=…][&tag=…]`. 404 for a link that opens nothing, 429
 * after too many wrong tokens.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url);
  const mode = pathname.startsWith("/event/preview/") ? "preview" : "published";
  const [eventId, token] = [toUuid(params.uuid), searchParams.get("token")];
  const result =
    eventId && token
      ? await context.attempt(
          context.services.visitors.readVisitorEvent({
            eventId,
            mode,
            token,
            network: context.client.network,
          }),
        )
      : null;
  if (!eventId || !token || !result?.ok || result.value.state === "closed")
    return new Response(null, { status: result && !result.ok ? result.failure.status : 404 });
  const code = qrcode(0, "M");
  code.addData(
    eventLink(context.site.origin, { eventId, mode, token }, readViewerLink(searchParams)),
    "Byte",
  );
  code.make();
  return new Response(code.createSvgTag({ scalable: true, margin: 4 }), {
    headers: { "content-type": "image/svg+xml", "content-disposition": `inline; filename="qr.svg"` },
  });
}
