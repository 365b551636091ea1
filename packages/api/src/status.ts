import type { Endpoint } from './endpoint.ts'

/** By itself, so that clients need not bring along what schemas are written in. */
export const statusOf = ({ shape }: Endpoint): number => shape.status ?? (shape.reply || shape.mediaType ? 200 : 204)
