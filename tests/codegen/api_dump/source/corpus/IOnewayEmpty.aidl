package corpus;

oneway interface IOnewayEmpty {}
