export { mergesFound } from './merge-by-scan.ts'
export { takeActBack } from './moves/take-back.ts'
