import type { Candidate, OpenResources } from '../../src/formats/book-format.ts'

/** A file in a library as formats are asked about it. */
export const fileCandidate = (path: string, bytes: Buffer): Candidate => ({
  path,
  head: bytes.subarray(0, 4096),
  isFolder: false,
  size: bytes.length,
  read: (position, length) => bytes.subarray(position, position + length),
})

export const folderCandidate = (path: string): Candidate => ({
  path,
  head: Buffer.alloc(0),
  isFolder: true,
  size: 0,
  read: () => Buffer.alloc(0),
})

/** It is for formats that unpack nothing. */
export const noEnvironment: OpenResources = {
  cache: {
    folderFor: () => Promise.reject(new Error('nothing is to be unpacked here')),
  },
}
