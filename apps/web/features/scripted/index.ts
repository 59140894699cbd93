export { ScriptedMark } from './scripted-mark';
