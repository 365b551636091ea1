export { addFormats, joinFormats, separateFormat } from './formats-by-scan.ts'
export { partRule } from './merge-rules.ts'
export { mergesFound } from './merge-by-scan.ts'
export { takeActBack } from './moves/take-back.ts'
