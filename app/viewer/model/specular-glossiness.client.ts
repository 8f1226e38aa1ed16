import { Color, MeshPhysicalMaterial, SRGBColorSpace, type Texture } from "three";
import type { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

const EXTENSION_NAME = "KHR_materials_pbrSpecularGlossiness";
/** Index of refraction that is so high that a surface reflects exactly its specular colour (KHR_materials_ior). */
const MIRROR_IOR = 1000;

interface TextureInfo {
  readonly index: number;
}
/** Content of the extension in a material. Colours are linear. */
interface SpecularGlossiness {
  readonly diffuseFactor?: readonly number[];
  readonly diffuseTexture?: TextureInfo;
  readonly specularFactor?: readonly number[];
  readonly glossinessFactor?: number;
  readonly specularGlossinessTexture?: TextureInfo;
}

/** A material whose specular map has the glossiness in its alpha channel. Clones of the material keep its class. */
class GlossyMaterial extends MeshPhysicalMaterial {
  override onBeforeCompile(shader: { fragmentShader: string }): void {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <roughnessmap_fragment>",
      `float roughnessFactor = roughness;
      #ifdef USE_SPECULAR_COLORMAP
        roughnessFactor = 1.0 - (1.0 - roughness) * texture2D(specularColorMap, vSpecularColorMapUv).a;
      #endif`,
    );
  }
}

/** The members of the loader's parser that are used here. */
interface Parser {
  readonly json: {
    readonly materials?: readonly {
      readonly pbrMetallicRoughness?: {
        readonly baseColorFactor?: unknown;
        readonly baseColorTexture?: unknown;
      };
      readonly extensions?: { readonly [EXTENSION_NAME]?: SpecularGlossiness };
    }[];
  };
  assignTexture(params: object, name: string, info: TextureInfo, colorSpace: string): Promise<Texture | null>;
}

/**
 * Adds the extension KHR_materials_pbrSpecularGlossiness to a loader. Older exports use it, and three no longer reads it.
 * Materials that also have a metallic-roughness base colour are read as metallic-roughness materials.
 */
export function readSpecularGlossiness(loader: GLTFLoader): void {
  loader.register((loaderParser) => {
    const parser = loaderParser as unknown as Parser;
    const readExtension = (index: number) => {
      const { pbrMetallicRoughness, extensions } = parser.json.materials?.[index] ?? {};
      const { baseColorFactor, baseColorTexture } = pbrMetallicRoughness ?? {};
      return baseColorFactor || baseColorTexture ? undefined : extensions?.[EXTENSION_NAME];
    };
    return {
      name: EXTENSION_NAME,
      getMaterialType: (index) => (readExtension(index) ? GlossyMaterial : null),
      async extendMaterialParams(index, params: Record<string, unknown>) {
        const extension = readExtension(index);
        if (!extension) return;
        const [red = 1, green = 1, blue = 1, opacity = 1] = extension.diffuseFactor ?? [];
        const [specularRed = 1, specularGreen = 1, specularBlue = 1] = extension.specularFactor ?? [];
        Object.assign(params, {
          color: new Color(red, green, blue),
          opacity,
          metalness: 0,
          ior: MIRROR_IOR,
          roughness: 1 - (extension.glossinessFactor ?? 1),
          specularColor: new Color(specularRed, specularGreen, specularBlue),
        });
        const { diffuseTexture, specularGlossinessTexture } = extension;
        await Promise.all([
          diffuseTexture && parser.assignTexture(params, "map", diffuseTexture, SRGBColorSpace),
          specularGlossinessTexture &&
            parser.assignTexture(params, "specularColorMap", specularGlossinessTexture, SRGBColorSpace),
        ]);
      },
    };
  });
}
