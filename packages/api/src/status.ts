import type { Endpoint } from './endpoint.ts'

/** The function has a file of its own, so that clients need not bundle the library that schemas are written in. */
export const statusOf = ({ shape }: Endpoint): number => shape.status ?? (shape.reply || shape.mediaType ? 200 : 204)
