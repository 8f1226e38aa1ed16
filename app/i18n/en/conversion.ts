/** Files that are converted in the owner's browser, and why visitors do not see some. */
export const conversion = {
  title: "Version for visitors",
  list: "Files being converted",
  progress: "Conversion of {{name}}",
  cancel: "Cancel",
  dismiss: "Remove {{name}} from the list",
  being: {
    a: "This is a {{type}} file. It is being converted…",
    an: "This is an {{type}} file. It is being converted…",
    plain: "This file is being converted…",
  },
  waitingText:
    "This file is converted for visitors in the browser of a person who can edit it, as soon as that person opens this page. The original is kept.",
  needsScript: "Conversion needs JavaScript. Open this page once in a browser with JavaScript.",
  againNeedsScript: "To convert this file, open this page in a browser with JavaScript.",
  noneText: "Visitors receive the file as it was uploaded. You can make a smaller version for phones.",
  skippedText: "Visitors receive the file as it was uploaded.",
  failedTitle: "The last conversion ended without a result",
  lost: "The conversion was interrupted. It continues when you open this page again.",
  quality: "Quality",
  convert: "Make a smaller version",
  again: "Convert again",
  skip: "Use as it is",
  keep: "Use this version",
  discard: "Discard this version",
  original: "Original",
  converted: "For visitors",
  noPicture: "Browsers cannot show the original.",
  sizes: "Sizes before and after",
  downloadOriginal: "Download the original",
  fact: {
    what: "Property",
    bytes: "File size",
    prepared: "For visitors",
    triangles: "Triangles",
    points: "Points",
    splats: "Splats",
    graphics: "Graphics memory, estimated",
    pixels: "Pixels",
  },
  losses: "The conversion left out: {{losses}}.",
  loss: {
    missing_textures: "textures that were not uploaded",
    animations: "animations",
    materials: "materials",
    lights: "lights",
    colours: "colours",
    sound: "sound",
  },
  note: {
    missing_textures:
      "Missing textures: {{names}}. Upload the model again together with them, as a folder or a ZIP file.",
    unit_guessed:
      "The file names no unit. {{unit}} was assumed because of the model's size. The unit can be changed in the settings of its space.",
    points_thinned: "{{kept}} of {{count}} points were kept.",
    moved_to_origin: "The model was far from the origin of its coordinates and was moved there.",
    slices_left_out:
      "This 3MF file describes its shape as slices for a printer, which cannot be shown. Only its other triangles are shown, which may be boxes around the shape. Export the model without slices, or as STL or GLB.",
  },
  state: {
    waiting: "Waiting",
    busy: "Another browser is converting it. This one takes over if that one stops.",
    reading: "Loading the original: {{percent}} %",
    drawing: "Checking that it can be shown",
    asking: "Compare the two versions.",
    sending: "Storing: {{percent}} %",
    done: "Converted. Visitors receive the new version.",
  },
  step: {
    read: "Reading: {{percent}} %",
    decode: "Unpacking: {{percent}} %",
    simplify: "Reducing triangles: {{percent}} %",
    textures: "Reducing textures: {{percent}} %",
    compress: "Compressing: {{percent}} %",
    tiles: "Making tiles: {{percent}} %",
    write: "Writing: {{percent}} %",
  },
  code: {
    damaged: "{{name}} is damaged or incomplete. Export it again and replace the file.",
    empty: "{{name}} holds nothing that can be shown. Export it again and replace the file.",
    too_large:
      "{{name}} is too large to be converted. Reduce it in the program that made it and replace the file.",
    out_of_memory:
      "This browser has too little memory for {{name}}. Try again on another computer, or reduce the file in the program that made it.",
    unsupported_feature:
      "{{name}} uses something that cannot be converted here. Export it in a simpler or another format and replace the file.",
    unreadable_model:
      "{{name}} uses something that Hiroba cannot read yet. Export the model as GLB and replace the file.",
    missing_files:
      "{{name}} names other files that are missing. Upload it together with them, as a folder or a ZIP file.",
    no_codec:
      "This browser cannot read {{name}}. Try again with another browser, or export it as H.264 MP4 and replace the file.",
    timeout:
      "The conversion of {{name}} stopped responding. Try again, or reduce the file in the program that made it.",
    not_lighter:
      "The conversion did not make {{name}} lighter, so visitors receive the file as it was uploaded.",
    not_shown:
      "{{name}} could not be opened in a browser, so visitors do not see it. Export it again and replace the file.",
    cancelled: "The conversion was cancelled.",
    not_drawn:
      "This browser could not draw the converted file, so it is not used. Try again with another browser or computer.",
    rejected: "The converted file was not accepted. Try again with another browser.",
    no_room:
      "The library has no room for the converted file. Delete files or ask for more storage, then convert it again.",
    no_converter: "This page has no converter for {{name}}. Load the page again.",
  },
  hidden: {
    notShown: "Not visible",
    waiting: "Not visible: waiting for conversion",
    failed: "Not visible: conversion failed",
    title: "Visitors do not see this file",
    waitingText: "It has to be converted first. Keep this page open until the conversion is done.",
    failedText: "Its conversion failed.",
  },
};
