import { useEffect, useState } from "react";

/** Whether this browser knows passkeys; null until the page is taken over, and for ever without scripts. */
export function usePasskeySupport(): boolean | null {
  const [supported, setSupported] = useState<boolean | null>(null);
  useEffect(() => setSupported(typeof window.PublicKeyCredential === "function"), []);
  return supported;
}
