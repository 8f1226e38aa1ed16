/** Path of the security page without a dialog. */
export const SECURITY_PATH = "/account/security";
