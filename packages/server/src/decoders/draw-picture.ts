import { loadSharp } from '../formats/images/load-sharp.ts'

/** It makes a picture of a drawing of ours. */
export const drawPicture = async ({ svg }: { readonly svg: string }): Promise<{ readonly bytes: Uint8Array }> => {
  const sharp = await loadSharp()
  return { bytes: await sharp(Buffer.from(svg)).jpeg({ quality: 84 }).toBuffer() }
}
