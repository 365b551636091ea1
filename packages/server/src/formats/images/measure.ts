/** It is a size, or the number of bytes from the beginning that would give more, or nothing. */
export type Measure = { readonly width: number; readonly height: number } | { readonly needs: number } | undefined

/** A size as it is shown: half of the orientations of EXIF lie on their side. */
export const oriented = (width: number, height: number, orientation: number): Measure =>
  orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height }
