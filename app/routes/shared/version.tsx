import { useRouteLoaderData } from "@remix-run/react";
import { VersionText } from "~/components/version-text";
import type { loader } from "./shell";

/** Version of the application outside of production (specification §1), for pages that hide the footer of the shell. */
export function ProductVersion() {
  const shell = useRouteLoaderData<typeof loader>("routes/shared/shell");
  return <VersionText version={shell?.version || null} />;
}
