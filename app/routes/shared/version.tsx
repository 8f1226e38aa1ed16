import { useRouteLoaderData } from "@remix-run/react";
import { VersionText } from "~/components/version-text";
import type { loader } from "./shell";

/** The version of the product, on every screen inside the shell and outside production (§1). */
export function ProductVersion() {
  const shell = useRouteLoaderData<typeof loader>("routes/shared/shell");
  return <VersionText version={shell?.version || null} />;
}
