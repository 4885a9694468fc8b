package corpus;

interface IEmpty {}
