/** See installed-packages.mjs. */
export function arePackagesInstalled(root: string): boolean;
