export { readSidecars, type ReadSidecars } from './read-sidecars.ts'
export { writeSidecars, type WrittenSidecars } from './write-sidecars.ts'
