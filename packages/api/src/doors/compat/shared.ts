import type { Scheme } from '../../endpoint.ts'

export const compatSchemes: readonly Scheme[] = ['basic', 'bearer', 'key', 'cookie']

/** All endpoints of this door share these. */
export const compat = { tag: 'Compatibility API', door: 'compat', schemes: compatSchemes } as const

export const exampleId = '019a5f00-0000-7000-8000-000000000000'
export const exampleTime = '2026-11-21T10:00:00Z'
