// A picture of the visitor's own for the tiles. The file never leaves the browser.

import { recall } from './settings.js';

const LARGEST = 50 * 2 ** 20; // bytes of a file
const SIDE = 1000; // pixels that are kept

/** The picture of the last visit, or null. */
export function keptPhoto() {
  const url = recall('photo');
  return typeof url === 'string' && url.startsWith('data:image/') ? url : null;
}

/** Why a file was refused: `kind` is 'size' or 'picture'. */
export class NoPicture extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

/** Read a file as a picture, upright as its camera held it; a small copy as a data URL. */
export async function readPhoto(file) {
  if (file.size > LARGEST) throw new NoPicture('size');
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    throw new NoPicture('picture');
  }
  const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  );
  const copy = paint(bitmap, [0, 0, bitmap.width, bitmap.height], width, height);
  bitmap.close();
  return copy;
}

/** The middle of a picture in the proportions `ratio` (width by height), as a data URL. */
export async function cropped(url, ratio) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const width = Math.min(image.naturalWidth, image.naturalHeight * ratio);
  const height = width / ratio;
  const [left, top] = [(image.naturalWidth - width) / 2, (image.naturalHeight - height) / 2];
  return paint(image, [left, top, width, height], Math.ceil(width), Math.ceil(height));
}

function paint(source, part, width, height) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.drawImage(source, ...part, 0, 0, width, height);
  return canvas.toDataURL('image/jpeg', 0.85);
}
