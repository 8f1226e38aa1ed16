import { NOT_SHOWN } from "~/domain/library/prepared";
import type { Uuid } from "~/domain/shared/model";
import type { UploadApi } from "../ports";

/**
 * Marks an item whose file a browser could not open, so that the library shows why visitors do not see it. For this, it begins a conversion under a new
 * `holder` (the id of a converting tab) and lets it fail. The state of an item that another browser is converting is not changed.
 */
export async function reportUnreadable(api: Pick<UploadApi, "json">, itemId: Uuid): Promise<void> {
  const base = `/api/v1/media/${itemId}/preparation`;
  const { status, body } = await api.json("POST", base, { holder: crypto.randomUUID() });
  if (status !== 200) return;
  const { run_uuid } = body as { readonly run_uuid?: Uuid };
  if (run_uuid) await api.json("POST", `${base}/fail`, { run_uuid, code: NOT_SHOWN });
}
