import { EYE_HEIGHT, MEDIA_TITLE_MAX, PANORAMA_NODES_MAX } from "~/domain/limits";

/** What spaces are made of: choosing, placing, previewing. */
export const sources = {
  errors: {
    kind: "Please choose what the space is made of.",
    otherKind: "A space keeps its kind of source: positions in one kind mean nothing in another.",
    chooseModel: "Please choose a 3D model.",
    chooseSplat: "Please choose a Gaussian splat.",
    media: "This file is not in the library any more. Please choose another one.",
    notA: {
      model: "This file is no 3D model (GLB or glTF).",
      image: "This file is no picture.",
      splat: "This file is no Gaussian splat (.ply, .spz, .splat, .ksplat).",
    },
    picture: "Please choose a picture of the library.",
    nodes: "Please choose at least one panorama.",
    tooManyNodes: `A space has at most ${PANORAMA_NODES_MAX} panoramas.`,
    nodeId: "Please use letters, digits, - and _ for the panorama's ID.",
    sameNode: "Two panoramas have the same ID.",
    link: "This leads to a panorama that is not there.",
    heading: "Please enter the direction as a number.",
    eyeHeight: `Please enter a height from ${EYE_HEIGHT.min} to ${EYE_HEIGHT.max} metres.`,
    up: "Please choose which way is up.",
    title: `Please use at most ${MEDIA_TITLE_MAX} characters for the panorama's name.`,
  },
};
