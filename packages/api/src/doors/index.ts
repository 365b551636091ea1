export * from './compat/system.ts'
export * from './koreader.ts'
export * from './opds/opds1.ts'
