export { default as home } from '../../features/home/strings/ar.json'
export { default as lists } from '../../lists/strings/ar.json'
export { default as common } from '../../ui/strings/ar.json'

export const others = import.meta.glob<object>(
  [
    '../../metadata/strings/ar.json',
    '../../frame/palette/strings/ar.json',
    '../../features/**/strings/ar.json',
    '!**/features/home/**',
  ],
  { import: 'default' },
)
