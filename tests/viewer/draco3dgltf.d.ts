/** The encoder and decoder of Draco for Node, which are passed to glTF-Transform unchanged. */
declare module "draco3dgltf" {
  const draco: { createEncoderModule(): Promise<unknown>; createDecoderModule(): Promise<unknown> };
  export default draco;
}
