export { default as home } from '../../features/home/strings/ja.json'
export { default as lists } from '../../lists/strings/ja.json'
export { default as common } from '../../ui/strings/ja.json'

export const others = import.meta.glob<object>(
  [
    '../../metadata/strings/ja.json',
    '../../frame/palette/strings/ja.json',
    '../../features/**/strings/ja.json',
    '!**/features/home/**',
  ],
  { import: 'default' },
)
