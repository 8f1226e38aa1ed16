import { useEffect, useState } from "react";

/** Whether this browser supports passkeys; null until hydration, and always without scripts. */
export function usePasskeySupport(): boolean | null {
  const [isSupported, setSupported] = useState<boolean | null>(null);
  useEffect(() => setSupported(typeof window.PublicKeyCredential === "function"), []);
  return isSupported;
}
