/** Our MIME types for splats, because none are registered. */
export const SPLAT_TYPES = {
  ply: "application/x-gaussian-ply",
  spz: "application/x-gaussian-spz",
  splat: "application/x-gaussian-splat",
  ksplat: "application/x-gaussian-ksplat",
  sog: "application/x-gaussian-sog",
  glb: "application/x-gaussian-glb",
} as const;

/** MIME types of models that are converted. Where none is registered, the subtype begins with "x-". */
export const CONVERTED_MODEL_TYPES = {
  obj: "model/obj",
  fbx: "application/x-fbx",
  stl: "model/stl",
  threeMf: "model/3mf",
  collada: "model/vnd.collada+xml",
  colladaZip: "model/x-collada+zip",
  kmz: "application/vnd.google-earth.kmz",
  usdz: "model/vnd.usdz+zip",
  usda: "model/vnd.usda",
  usdc: "model/x-usdc",
  ifc: "application/x-ifc",
  las: "application/vnd.las",
  laz: "application/vnd.laszip",
  ply: "model/x-ply",
  /** A model with its textures in a ZIP archive. */
  zip: "model/x-zip",
} as const;
