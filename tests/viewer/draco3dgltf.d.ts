/** The encoder and decoder of Draco for Node; glTF-Transform takes them as they are. */
declare module "draco3dgltf" {
  const draco: { createEncoderModule(): Promise<unknown>; createDecoderModule(): Promise<unknown> };
  export default draco;
}
