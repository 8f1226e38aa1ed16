/** Creates models in text formats (STL, OBJ with MTL, PLY, COLLADA, USDA and IFC), and binary PLY files. */
import { createBox, FACE_UV, type Triple } from "./textured-box";

const encode = (text: string) => new TextEncoder().encode(text);

/** @param size along x, y, z, in units of the file */
export function asciiStl(size: Triple): Uint8Array {
  const { corners, triangles } = createBox(size);
  const facets = triangles.map(
    (corner) =>
      `facet normal 0 0 0\nouter loop\n${corner.map((i) => `vertex ${corners[i]?.join(" ")}`).join("\n")}\nendloop\nendfacet`,
  );
  return encode(`solid box\n${facets.join("\n")}\nendsolid box\n`);
}

/** An OBJ file of two boxes. OBJ has no instances, so each box has its own corners. `apart` is the distance along x. */
export function objOfTwo(size: Triple, apart: number): Uint8Array {
  const { corners, faces } = createBox(size);
  const box = (name: string, x: number, firstIndex: number) => [
    `o ${name}`,
    ...corners.map(([cx, cy, cz]) => `v ${cx + x} ${cy} ${cz}`),
    ...faces.map((face) => `f ${face.map((corner) => corner + firstIndex).join(" ")}`),
  ];
  return encode([...box("left", 0, 1), ...box("right", apart, 9), ""].join("\n"));
}

/** An OBJ file whose material library is box.mtl. */
export function objFile(size: Triple): Uint8Array {
  const { corners, faces } = createBox(size);
  return encode(
    [
      "# a box",
      "mtllib box.mtl",
      "o box",
      ...corners.map((corner) => `v ${corner.join(" ")}`),
      ...FACE_UV.map((uv) => `vt ${uv.join(" ")}`),
      "usemtl painted",
      ...faces.map((face) => `f ${face.map((corner, i) => `${corner + 1}/${i + 1}`).join(" ")}`),
      "",
    ].join("\n"),
  );
}

/**
 * A material library.
 * @param texture file name of the texture
 */
export const mtlFile = (texture: string): Uint8Array =>
  encode(`newmtl painted\nKd 1 1 1\nNs 10\nmap_Kd ${texture}\n`);

const plyHeader = (format: string, vertices: number, faces: number, colours: boolean) =>
  [
    "ply",
    `format ${format} 1.0`,
    `element vertex ${vertices}`,
    ...["x", "y", "z"].map((axis) => `property float ${axis}`),
    ...(colours ? ["red", "green", "blue"].map((name) => `property uchar ${name}`) : []),
    ...(faces > 0 ? [`element face ${faces}`, "property list uchar int vertex_indices"] : []),
    "end_header\n",
  ].join("\n");

/**
 * A textured mesh as text, whose faces share no corners.
 * @param texture file name of the texture
 */
export function texturedPly(size: Triple, texture: string): Uint8Array {
  const { corners, faces } = createBox(size);
  const vertices = faces.flatMap((face) =>
    face.map((corner, i) => [...(corners[corner] ?? []), ...(FACE_UV[i] ?? [])]),
  );
  const quads = faces.map((_, i) =>
    [4, 0, 1, 2, 3].map((corner, index) => (index === 0 ? corner : corner + i * 4)),
  );
  const head = [
    "ply",
    "format ascii 1.0",
    `comment TextureFile ${texture}`,
    `element vertex ${vertices.length}`,
    ...["x", "y", "z", "s", "t"].map((name) => `property float ${name}`),
    `element face ${quads.length}`,
    "property list uchar int vertex_indices",
    "end_header",
  ];
  return encode([...head, ...[...vertices, ...quads].map((line) => line.join(" ")), ""].join("\n"));
}

/** A mesh as text. */
export function asciiPly(size: Triple): Uint8Array {
  const { corners, triangles } = createBox(size);
  const lines = [...corners, ...triangles.map((triangle) => [3, ...triangle])].map((line) => line.join(" "));
  return encode(`${plyHeader("ascii", corners.length, triangles.length, false)}${lines.join("\n")}\n`);
}

/** A binary mesh, or with `colour` a point cloud of its corners. */
export function binaryPly(size: Triple, colour?: Triple, writtenCorners = 8): Uint8Array {
  const { corners, triangles } = createBox(size);
  const head = encode(
    plyHeader("binary_little_endian", 8, colour ? 0 : triangles.length, colour !== undefined),
  );
  const stride = colour ? 15 : 12;
  const view = new DataView(new ArrayBuffer(writtenCorners * stride + (colour ? 0 : triangles.length * 13)));
  for (const [i, corner] of corners.slice(0, writtenCorners).entries()) {
    corner.forEach((value, axis) => {
      view.setFloat32(i * stride + axis * 4, value, true);
    });
    colour?.forEach((value, c) => {
      view.setUint8(i * stride + 12 + c, value);
    });
  }
  if (!colour)
    for (const [i, triangle] of triangles.entries()) {
      const offset = writtenCorners * stride + i * 13;
      view.setUint8(offset, 3);
      triangle.forEach((corner, j) => {
        view.setInt32(offset + 1 + j * 4, corner, true);
      });
    }
  return new Uint8Array([...head, ...new Uint8Array(view.buffer)]);
}

/** Primitive elements of a COLLADA mesh. */
export type ColladaPrimitive = "triangles" | "tristrips" | "trifans" | "polygons";

/** A COLLADA document in centimetres, z up: a textured box with two instances. `apart` is the distance along x. */
export function colladaFile(
  size: Triple,
  apart: number,
  texture = "textures/paint.png",
  primitive: ColladaPrimitive = "triangles",
): Uint8Array {
  const { corners, faces, triangles } = createBox(size);
  const uv = FACE_UV.map((value) => value.join(" ")).join(" ");
  const indexLists: Readonly<Record<ColladaPrimitive, readonly (readonly (readonly [number, number])[])[]>> =
    {
      triangles: [triangles.flatMap((triangle) => triangle.map((corner, i) => [corner, i] as const))],
      // The last corner of a strip is opposite to its first corner.
      tristrips: faces.map(([a, b, c, d]) => [
        [a, 0],
        [b, 1],
        [d, 3],
        [c, 2],
      ]),
      trifans: faces.map((face) => face.map((corner, i) => [corner, i] as const)),
      polygons: faces.map((face) => face.map((corner, i) => [corner, i] as const)),
    };
  const primitiveElements = indexLists[primitive].map((list) => `<p>${list.flat().join(" ")}</p>`).join("");
  const source = (id: string, values: string, count: number, names: string) =>
    `<source id="${id}"><float_array id="${id}-a" count="${count * names.length}">${values}</float_array><technique_common><accessor source="#${id}-a" count="${count}" stride="${names.length}">${[...names].map((name) => `<param name="${name}" type="float"/>`).join("")}</accessor></technique_common></source>`;
  const node = (name: string, x: number) =>
    `<node id="${name}" name="${name}"><translate>${x} 0 0</translate><instance_geometry url="#box"><bind_material><technique_common><instance_material symbol="m" target="#mat"/></technique_common></bind_material></instance_geometry></node>`;
  return encode(`<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="img"><init_from>${texture}</init_from></image></library_images>
<library_effects><effect id="fx"><profile_COMMON>
<newparam sid="s"><surface type="2D"><init_from>img</init_from></surface></newparam>
<newparam sid="t"><sampler2D><source>s</source></sampler2D></newparam>
<technique sid="common"><lambert><diffuse><texture texture="t" texcoord="UV"/></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="mat" name="painted"><instance_effect url="#fx"/></material></library_materials>
<library_geometries><geometry id="box" name="box"><mesh>
${source("pos", corners.flat().join(" "), corners.length, "XYZ")}
${source("uv", uv, 4, "ST")}
<vertices id="v"><input semantic="POSITION" source="#pos"/></vertices>
<${primitive} count="${indexLists[primitive].length}" material="m"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" source="#uv" offset="1" set="0"/>${primitiveElements}</${primitive}>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene">${node("left", 0)}${node("right", apart)}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
`);
}

/** A text USD layer in centimetres, z up: a textured box. */
export function usdaFile(size: Triple, texture = "textures/paint.png"): Uint8Array {
  const { corners, faces } = createBox(size);
  const formatTuples = (values: readonly (readonly number[])[]) =>
    values.map((value) => `(${value.join(", ")})`).join(", ");
  return encode(`#usda 1.0
(
    defaultPrim = "Root"
    metersPerUnit = 0.01
    upAxis = "Z"
)

def Xform "Root"
{
    def Mesh "box" (
        prepend apiSchemas = ["MaterialBindingAPI"]
    )
    {
        int[] faceVertexCounts = [${faces.map(() => 4).join(", ")}]
        int[] faceVertexIndices = [${faces.flat().join(", ")}]
        point3f[] points = [${formatTuples(corners)}]
        texCoord2f[] primvars:st = [${formatTuples(faces.flatMap(() => FACE_UV))}] (
            interpolation = "faceVarying"
        )
        uniform token subdivisionScheme = "none"
        rel material:binding = </Root/painted>
    }

    def Material "painted"
    {
        token outputs:surface.connect = </Root/painted/surface.outputs:surface>

        def Shader "surface"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Root/painted/paint.outputs:rgb>
            token outputs:surface
        }

        def Shader "paint"
        {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @${texture}@
            float2 inputs:st.connect = </Root/painted/st.outputs:result>
            float3 outputs:rgb
        }

        def Shader "st"
        {
            uniform token info:id = "UsdPrimvarReader_float2"
            string inputs:varname = "st"
            float2 outputs:result
        }
    }
}
`);
}

/**
 * An IFC project in millimetres: a wall as an extruded rectangle, and two chairs that share one mapped geometry.
 * The parameters are the wall's length, height and thickness.
 */
export function ifcFile([length, height, thickness]: Triple): Uint8Array {
  return encode(`ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');
FILE_NAME('test.ifc','2026-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('IFC2X3'));
ENDSEC;
DATA;
#1=IFCCARTESIANPOINT((0.,0.,0.));
#2=IFCDIRECTION((0.,0.,1.));
#3=IFCDIRECTION((1.,0.,0.));
#4=IFCAXIS2PLACEMENT3D(#1,#2,#3);
#5=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#4,$);
#6=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
#7=IFCUNITASSIGNMENT((#6));
#8=IFCPROJECT('0001',$,'Test',$,$,$,$,(#5),#7);
#10=IFCLOCALPLACEMENT($,#4);
#11=IFCCARTESIANPOINT((${length / 2}.,${thickness / 2}.));
#12=IFCAXIS2PLACEMENT2D(#11,$);
#13=IFCRECTANGLEPROFILEDEF(.AREA.,$,#12,${length}.,${thickness}.);
#14=IFCEXTRUDEDAREASOLID(#13,#4,#2,${height}.);
#15=IFCSHAPEREPRESENTATION(#5,'Body','SweptSolid',(#14));
#16=IFCPRODUCTDEFINITIONSHAPE($,$,(#15));
#17=IFCWALLSTANDARDCASE('0002',$,'Long wall',$,$,#10,#16,$);
#20=IFCRECTANGLEPROFILEDEF(.AREA.,$,#12,100.,100.);
#21=IFCEXTRUDEDAREASOLID(#20,#4,#2,100.);
#22=IFCSHAPEREPRESENTATION(#5,'Body','SweptSolid',(#21));
#23=IFCREPRESENTATIONMAP(#4,#22);
#24=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#1,$,$);
#25=IFCMAPPEDITEM(#23,#24);
#26=IFCSHAPEREPRESENTATION(#5,'Body','MappedRepresentation',(#25));
#27=IFCPRODUCTDEFINITIONSHAPE($,$,(#26));
#28=IFCFURNISHINGELEMENT('0003',$,'Chair 1',$,$,#10,#27,$);
#30=IFCCARTESIANPOINT((300.,0.,0.));
#31=IFCAXIS2PLACEMENT3D(#30,#2,#3);
#32=IFCLOCALPLACEMENT($,#31);
#33=IFCMAPPEDITEM(#23,#24);
#34=IFCSHAPEREPRESENTATION(#5,'Body','MappedRepresentation',(#33));
#35=IFCPRODUCTDEFINITIONSHAPE($,$,(#34));
#36=IFCFURNISHINGELEMENT('0004',$,'Chair 2',$,$,#32,#35,$);
ENDSEC;
END-ISO-10303-21;
`);
}
