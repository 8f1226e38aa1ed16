/**
 * Runs in a page before its scripts. It disables mipmaps, antialiasing and anisotropic filtering in WebGL 2. Tests do not check them,
 * and they are three quarters of the work in software rendering.
 */
export function plainDrawing(): void {
  const canvas = HTMLCanvasElement.prototype;
  const { getContext } = canvas;
  canvas.getContext = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
    const contextOptions =
      kind === "webgl2" ? { ...(options as object | undefined), antialias: false } : options;
    return Reflect.apply(getContext, this, [kind, contextOptions]);
  } as typeof getContext;

  const gl = WebGL2RenderingContext.prototype;
  const { getExtension, texParameteri } = gl;
  gl.getExtension = function (this: WebGL2RenderingContext, name: string) {
    return name === "EXT_texture_filter_anisotropic" ? null : Reflect.apply(getExtension, this, [name]);
  } as typeof getExtension;
  // A texture that uses mipmaps would be black without them.
  gl.generateMipmap = () => {};
  gl.texParameteri = function (target, parameter, value) {
    const plainFilters: Readonly<Record<number, number>> = {
      [gl.NEAREST_MIPMAP_NEAREST]: gl.NEAREST,
      [gl.NEAREST_MIPMAP_LINEAR]: gl.NEAREST,
      [gl.LINEAR_MIPMAP_NEAREST]: gl.LINEAR,
      [gl.LINEAR_MIPMAP_LINEAR]: gl.LINEAR,
    };
    const filter = parameter === gl.TEXTURE_MIN_FILTER ? (plainFilters[value] ?? value) : value;
    texParameteri.call(this, target, parameter, filter);
  };
}
