import qrcode from "qrcode-generator";
import type { SecondFactorSetup } from "#functions/services/auth/second-factor-settings";

/**
 * The data of the set-up form: the secret in groups of four characters, the same secret sealed (encrypted and signed), which the form sends back, and the
 * QR code as a data URL, so that no request for an image contains the secret.
 */
export function createSetupFormData({ secret, sealed, url }: SecondFactorSetup) {
  // Version 0 is the smallest code that holds the URL. A cell has 4 pixels, and the margin has 16.
  const code = qrcode(0, "M");
  code.addData(url, "Byte");
  code.make();
  return { secret: (secret.match(/.{4}/g) ?? []).join(" "), sealed, qr: code.createDataURL(4, 16) };
}
