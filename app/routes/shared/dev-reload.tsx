import { useEffect } from "react";

/** Reloads the page after each build of `npm run dev`. Rendered in development only. */
export function DevReload({ url }: { readonly url: string }) {
  useEffect(() => {
    const source = new EventSource(url);
    source.onmessage = () => window.location.reload();
    return () => source.close();
  }, [url]);
  return null;
}
